import { workspaceSettings } from "../../../src";
import { programFolder } from "../../helpers/programs";

test("the settings of a workspace lead the engine to the package and to the full plugin by whole paths, also from a folder of a monorepo", () => {
  const folder = programFolder({ "packages/infra/package.json": "{}" });
  try {
    const main = `${folder.path}/packages/infra`;
    const plugins = { providers: [{ name: "nodecloud", path: `${folder.path}/node_modules/.bin` }] };
    expect(workspaceSettings("shop", { main })).toEqual({ name: "shop", runtime: "nodejs", main, plugins });

    const other = { name: "other", path: "/opt/other" };
    const languages = [{ name: "go", path: "/opt/go" }];
    expect(workspaceSettings("shop", { main, plugins: { providers: [other], languages } }).plugins).toEqual({
      providers: [...plugins.providers, other],
      languages,
    });
    const own = { providers: [{ name: "nodecloud", path: "/opt/nodecloud" }] };
    expect(workspaceSettings("shop", { main, plugins: own }).plugins).toEqual(own);
  } finally {
    folder.remove();
  }
});

test("without an installed plugin, the settings name none, and others are kept", () => {
  const settings = workspaceSettings("shop", { main: "/", backend: { url: "s3://states" } });
  expect(settings).toEqual({ name: "shop", runtime: "nodejs", main: "/", backend: { url: "s3://states" } });
  expect(workspaceSettings("shop").main).toBe(process.cwd());
});
