// Settings of lab, the test runner: twenty minutes for a case, which only one that hangs takes; globals are not looked at.
'use strict';
// Most processes of tests are short. V8 compiles again what runs often, which took a tenth of their processor time: it waits eight
// times as long here.
require('node:v8').setFlagsFromString('--interrupt-budget=1056768');
module.exports = { timeout: 1_200_000, leaks: false };
