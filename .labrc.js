// Settings of lab, the test runner: five minutes for a case, longer than a busy machine needs; globals are not looked at.
'use strict';
module.exports = { timeout: 300_000, leaks: false };
