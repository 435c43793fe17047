#!/usr/bin/env node
// Stands where the program belongs until place.js has run, or if it never runs.
const { spawnSync } = require("child_process");

let program;
try {
  program = require("../program.js")();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const result = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (result.error) {
  console.error(`hookbridge: ${result.error.message}`);
  process.exit(1);
}
if (result.signal) {
  process.kill(process.pid, result.signal);
}
process.exit(result.status);
