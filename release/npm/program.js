// The program of the optional dependency for this system.
const name = `@hookbridge/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "hookbridge.exe" : "hookbridge";

module.exports = () => {
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(`hookbridge: the package ${name} is not installed. Install hookbridge again, with its optional dependencies (without --omit=optional).`);
  }
};
