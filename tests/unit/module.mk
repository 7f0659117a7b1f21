# SPDX-License-Identifier: Apache-2.0
# The long run of the laws of Top-Down accounting.

LAW_SETS ?= 1500000
.PHONY: check-topdown
check-topdown: $(B)/unit/test_topdown_laws ## the laws of Top-Down accounting over LAW_SETS random counter sets
	@SLOTLEDGER_LAW_SETS=$(LAW_SETS) $<
