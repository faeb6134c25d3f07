const PROGRAM = "lib/dist/bin/pulumi-resource-nodecloud.js";

/** Follows links to itself, and needs no other program unless there are some. */
const SHELL = `#!/bin/sh
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=\${self%/*}/$target ;;
  esac
done
exec "\${self%/*}/node" "\${self%/*}/${PROGRAM}" "$@"
`;

const BATCH = `@"%~dp0node.exe" "%~dp0${PROGRAM.replaceAll("/", "\\")}" %*\r\n`;

/** The file that the engine starts. On Windows it looks for `.cmd` too. @param {string} platform @returns {import("./tar.mjs").File} */
export const launcherFor = (platform) =>
  platform.startsWith("windows")
    ? { path: "pulumi-resource-nodecloud.cmd", bytes: Buffer.from(BATCH) }
    : { path: "pulumi-resource-nodecloud", bytes: Buffer.from(SHELL), isExecutable: true };
