#!/usr/bin/env node
import { packageVersion, startServer } from "../serve/plugin/server";

const given = process.argv.slice(2);

if (given.includes("--version")) console.log(packageVersion());
else {
  startServer({ given, environment: process.env, exit: () => process.exit() }).then(
    // The engine reads the port from the first line.
    (port) => console.log(port),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    },
  );
}
