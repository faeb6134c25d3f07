import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

test("ctrl-C while the command pulumi runs ends with one line", () => {
  const folder = mkdtempSync(join(tmpdir(), "interrupt-"));
  try {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: program\nruntime: nodejs\n");
    writeFileSync(
      join(folder, "pulumi"),
      "#!/bin/sh\nkill -INT $PPID\nwhile kill -0 $PPID; do sleep 0.05; done 2> /dev/null\n",
    );
    chmodSync(join(folder, "pulumi"), 0o755);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [resolve("dist/bin/nodecloud.js"), "drift", "--stack", "test"],
      {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder },
      },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 130,
      stdout: "",
      stderr: "interrupted; nothing was changed\n",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
