import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backendOf, storeOf } from "../../../src/provider/engine/backend";

let root: string;
let program: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "backend-"));
  program = join(root, "project", "program");
  mkdirSync(program, { recursive: true });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const project = (text: string, file = "Pulumi.yaml") => {
  writeFileSync(join(root, "project", file), text);
};
const login = (text: string, folder = "home") => {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, "credentials.json"), text);
};
const found = (environment: Record<string, string> = {}) =>
  backendOf({ PULUMI_HOME: join(root, "home"), ...environment }, program);

const both = () => {
  project("name: shop\nbackend:\n  url: s3://of-the-project\n");
  login('{"current": "https://of.the/login"}');
};

test("the backend comes from the environment, then the project above the program, then the login", () => {
  both();
  expect(found({ PULUMI_BACKEND_URL: "file:///of/the/environment" })).toBe("file:///of/the/environment");
  expect(found({ PULUMI_BACKEND_URL: "" })).toBe("s3://of-the-project");
  project("name: shop\nruntime: nodejs\n");
  expect(found()).toBe("https://of.the/login");
});

test("a project file may be JSON", () => {
  project('{"name": "shop", "backend": {"url": "gs://bucket"}}', "Pulumi.json");
  expect(found()).toBe("gs://bucket");
});

test("the folder of the credentials can be another one", () => {
  login('{"current": "https://of.the/login"}');
  login('{"current": "https://elsewhere"}', "credentials");
  expect(found({ PULUMI_CREDENTIALS_PATH: join(root, "credentials") })).toBe("https://elsewhere");
});

test("a trailing slash does not change the backend", () => {
  expect(found({ PULUMI_BACKEND_URL: "https://api.pulumi.com/" })).toBe("https://api.pulumi.com");
});

test("the order of a URL's parameters does not change the backend", () => {
  const of = (parameters: string) => found({ PULUMI_BACKEND_URL: `s3://bucket?${parameters}` });
  expect(of("region=eu&endpoint=s3.test&disableSSL=true")).toBe(
    of("endpoint=s3.test&disableSSL=true&region=eu"),
  );
  expect(of("region=eu")).toBe("s3://bucket?region=eu");
});

test("a relative folder is one of the project, so that two clones have two backends, and ~ is the home", () => {
  project("name: shop\nbackend:\n  url: file://./state\n");
  expect(found()).toBe(`file://${join(root, "project/state")}`);
  expect(found({ PULUMI_BACKEND_URL: "file://../other" })).toBe(`file://${join(root, "other")}`);
  expect(found({ PULUMI_BACKEND_URL: "file://~", HOME: "/users/ada" })).toBe("file:///users/ada");
  expect(found({ PULUMI_BACKEND_URL: "file://~/state", HOME: "/users/ada" })).toBe("file:///users/ada/state");
});

test("the store differs with the variables that lead a URL elsewhere", () => {
  const stores = [
    {},
    { AZURE_STORAGE_ACCOUNT: "one" },
    { AZURE_STORAGE_ACCOUNT: "two" },
    { AWS_ENDPOINT_URL: "one" },
  ];
  expect(new Set(stores.map((environment) => storeOf("azblob://state", environment))).size).toBe(4);
  expect(storeOf("file:///state", {})).toBe("file:///state");
});

test.each<[string, string | undefined, string | undefined]>([
  ["nothing is set", undefined, undefined],
  ["the project is broken", "backend: [", undefined],
  ["the project names no URL", "backend: {}", undefined],
  ["the login is broken", undefined, "{"],
  ["nobody is logged in", undefined, '{"current": ""}'],
])("if %s, it is the Pulumi service", (_, projectText, loginText) => {
  if (projectText !== undefined) project(projectText);
  if (loginText !== undefined) login(loginText);
  expect(found()).toBe("https://api.pulumi.com");
});
