import { createRequire } from "node:module";
import { join } from "node:path";
import { quietly } from "../../api/quietly";

const RUNTIME = "pulumi-nodecloud/runtime";

/**
 * Whether Node finds the package in the node_modules of a folder or of a folder above it. The plugin's text searches in this way, because it is
 * in no file and therefore in no package. Plug'n'Play finds nothing in this way.
 */
export function isFoundFrom(folder: string): boolean {
  const found = quietly(() => createRequire(join(folder, "node_modules", "_")).resolve(RUNTIME));
  return found !== undefined && !("pnp" in process.versions);
}

/** Looked up once, before the program can change its folder: the plugin's process starts in the same one. */
const foundHere = isFoundFrom(process.cwd());

/**
 * The text by which the plugin finds the provider of a resource. The state contains it, and refresh and destroy send it from there on any
 * machine. It is therefore the same for all programs that find the package, and the same for all that do not.
 */
export const providerText = (type: string, found = foundHere): string =>
  found ? `exports.handler=()=>require("${RUNTIME}").${type}` : searchingText(type);

/**
 * Searches the program's folder, the folders above it, its dependencies, and their dependencies. It is a text and not a function, because a compiler
 * would change a function, and the state of each resource contains every character twice. The plugin prints errors and also reports them. This error
 * is only reported.
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
