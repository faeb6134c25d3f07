#!/usr/bin/env node
import { startServer } from "../serve/plugin/server";

startServer({
  given: process.argv.slice(2),
  environment: process.env,
  exit: () => process.exit(),
}).then(
  // The engine reads the port from the first line.
  (port) => console.log(port),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
