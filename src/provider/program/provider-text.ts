import { createRequire } from "node:module";
import { join } from "node:path";

const RUNTIME = "pulumi-nodecloud/runtime";

/**
 * Whether Node finds the package from a folder as it does from the plugin's text, which is in no file and so in no package: in the
 * node_modules of the folder and of those above it. With Plug'n'Play nothing is found so.
 */
export function isFoundFrom(folder: string): boolean {
  try {
    createRequire(join(folder, "node_modules", "_")).resolve(RUNTIME);
    return !("pnp" in process.versions);
  } catch {
    return false;
  }
}

/** Looked up once, before the program can go to another folder: the plugin's process starts in the same one. */
const foundHere = isFoundFrom(process.cwd());

/**
 * The text that leads the plugin to the provider of a resource. It lies in the state, and refresh and destroy send it from there on whatever
 * machine they run: so it is the same for all programs that find the package, and for all that do not.
 */
export function providerText(type: string, found = foundHere): string {
  return found ? `exports.handler=()=>require("${RUNTIME}").${type}` : searchingText(type);
}

/**
 * Looks in the program's folder, those above it, its dependencies, and theirs. A text and not a function, which a compiler writes in its own
 * way: every character of it is in each resource's state, twice. The plugin prints an error before it reports it; this one is only reported.
 */
const searchingText = (type: string) =>
  [
    'exports.handler=()=>{const m=require("module"),o=process.cwd(),q=new Set([o]);',
    "for(const d of q){",
    'const r=m.createRequire(d+"/_"),a=m.findPnpApi?.(d+"/");let f,j;',
    `try{f=r.resolve("${RUNTIME}")}catch{}`,
    `if(f)return r(f).${type};`,
    'q.add(r("path").dirname(d));',
    'try{j=r("./package.json")}catch{}',
    "for(const s in j)if(/ies$/.test(s))for(const k in j[s])",
    'for(const p of a?[d]:r.resolve.paths("_"))',
    'try{q.add(a?a.resolveToUnqualified(k,p+"/"):r("fs").realpathSync(p+"/"+k))}catch{}}',
    'const c=console,e=c.error;if(!e.n){c.error=(...a)=>{a[0]==": "||e(...a)};c.error.n=1}',
    "throw{message:`cannot find pulumi-nodecloud from ${o}: add it to the dependencies in package.json, and install it`,",
    'stack:"",toString:()=>""}}',
  ].join("");
