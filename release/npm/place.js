// Puts the program in the place of the launcher, so that the command starts no Node.js.
// npm runs this before it links the command. If it fails, the launcher stays.
const fs = require("fs");
const path = require("path");

const place = path.join(__dirname, "bin", "hookbridge.exe");
const temp = `${place}.${process.pid}`;
try {
  const program = require("./program.js")();
  try {
    fs.linkSync(program, temp);
  } catch {
    fs.copyFileSync(program, temp);
  }
  fs.chmodSync(temp, 0o755);
  fs.renameSync(temp, place);
} catch (error) {
  fs.rmSync(temp, { force: true });
  console.warn(error.message);
}
