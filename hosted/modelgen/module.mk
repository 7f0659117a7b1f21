# SPDX-License-Identifier: Apache-2.0
# The verifying stages run the decoders and tables of core.
build/host/modelgen: build/host/libslotledger.a
