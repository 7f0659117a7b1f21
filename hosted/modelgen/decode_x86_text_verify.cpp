/* SPDX-License-Identifier: Apache-2.0 */
/* Text round trip: print an instruction, let LLVM parse and encode the text, decode those bytes with core. */
#include "decode_x86_compare.h"

#include <cstring>
#include <set>

#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

namespace modelgen {
namespace x86 {

void random_encoding(uint64_t &state, Encoding &encoding);

namespace {

/* Collects what the parser emits. */
struct Collector : llvm::MCStreamer {
    std::vector<llvm::MCInst> insts;
    explicit Collector(llvm::MCContext &context) : MCStreamer(context) {}
    bool emitSymbolAttribute(llvm::MCSymbol *, llvm::MCSymbolAttr) override { return true; }
    void emitCommonSymbol(llvm::MCSymbol *, uint64_t, llvm::Align) override {}
    void emitZerofill(llvm::MCSection *, llvm::MCSymbol *, uint64_t, llvm::Align, llvm::SMLoc) override {}
    void emitInstruction(const llvm::MCInst &inst, const llvm::MCSubtargetInfo &) override { insts.push_back(inst); }
};

/* Every feature but other modes and APX: the parser refuses what the subtarget lacks. */
std::string parser_features(const llvm::MCSubtargetInfo &sti)
{
    static const char *const excluded[] = {"16bit-mode", "32bit-mode", "egpr", "push2pop2", "ppx", "ndd", "ccmp", "nf", "cf", "zu"};
    std::string features;
    for (const auto &feature : sti.getAllProcessorFeatures()) {
        bool skip = false;
        for (const char *name : excluded)
            skip = skip || !strcmp(feature.Key, name);
        if (!skip)
            features += std::string(features.empty() ? "+" : ",+") + feature.Key;
    }
    return features;
}

class Assembler {
public:
    explicit Assembler(const Target &t)
        : target(t), sti(t.target->createMCSubtargetInfo(t.triple, "", parser_features(*t.sti)))
    {
    }

    bool parse(const std::string &text, std::vector<llvm::MCInst> &out) const
    {
        llvm::SourceMgr sources;
        sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text + "\n"), llvm::SMLoc());
        sources.setDiagHandler([](const llvm::SMDiagnostic &, void *) {});
        llvm::MCContext context(llvm::Triple(target.triple), target.mai.get(), target.mri.get(), sti.get(), &sources);
        llvm::MCObjectFileInfo objects;
        objects.initMCObjectFileInfo(context, false);
        context.setObjectFileInfo(&objects);
        Collector collector(context);
        collector.initSections(false, *sti);
        target.target->createNullTargetStreamer(collector);
        std::unique_ptr<llvm::MCAsmParser> parser(createMCAsmParser(sources, context, collector, *target.mai));
        std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
            target.target->createMCAsmParser(*sti, *parser, *target.mcii, target.options));
        parser->setTargetParser(*target_parser);
        bool failed = parser->Run(false);
        out = collector.insts;
        return !failed;
    }

    size_t assemble(const llvm::MCInst &inst, uint8_t *bytes) const
    {
        llvm::SmallVector<char, 32> code;
        llvm::SmallVector<llvm::MCFixup, 4> fixups;
        target.emitter->encodeInstruction(inst, code, fixups, *sti);
        memcpy(bytes, code.data(), code.size());
        return code.size();
    }

private:
    const Target &target;
    std::unique_ptr<llvm::MCSubtargetInfo> sti;
};

} // namespace

uint64_t verify_text(const Target &target, Comparer &comparer, uint64_t count, uint64_t seed)
{
    Assembler assembler(target);
    uint64_t state = 362436069u + seed, unparsed = 0, several = 0;
    Encoding encoding;
    llvm::MCInst inst;
    std::vector<llvm::MCInst> parsed;
    std::map<std::string, uint64_t> failed;
    std::set<unsigned> opcodes;
    for (uint64_t done = 0; done < count;) {
        random_encoding(state, encoding);
        if (!target.decode(encoding.bytes, 15, inst) || Comparer::is_apx(encoding.bytes, target.mcii->getName(inst.getOpcode())))
            continue;
        done++;
        std::string text;
        llvm::raw_string_ostream stream(text);
        target.printer->printInst(&inst, 0, "", *target.sti, stream);
        if (!assembler.parse(text, parsed) || parsed.empty()) {
            unparsed++;
            failed[text]++;
            continue;
        }
        several += parsed.size() > 1;
        for (const llvm::MCInst &one : parsed) {
            uint8_t bytes[32];
            size_t len = assembler.assemble(one, bytes);
            opcodes.insert(one.getOpcode());
            comparer.check_parsed(one, bytes, len);
        }
    }
    printf("texts: %llu with %zu opcodes, of which LLVM does not parse its own text %llu times, and sees several "
           "instructions in %llu\n",
           static_cast<unsigned long long>(count), opcodes.size(), static_cast<unsigned long long>(unparsed),
           static_cast<unsigned long long>(several));
    unsigned shown = 0;
    for (const auto &entry : failed)
        if (shown++ < 10)
            printf("  unparsed: %s\n", entry.first.c_str());
    return comparer.report("text round trip");
}

} // namespace x86
} // namespace modelgen
