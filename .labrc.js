// Settings of lab, the test runner: five minutes for a case, longer than a busy machine needs; globals are not looked at.
'use strict';
// Most processes of tests are short. V8 compiles again what runs often, which took a tenth of their processor time: it waits eight
// times as long here.
require('node:v8').setFlagsFromString('--interrupt-budget=1056768');
module.exports = { timeout: 300_000, leaks: false };
