/** The module of a resource: its inputs, the types that only it uses, and its class. */
import { comment, outputText } from "./comment.mjs";
import { inputProperty, interfaceText } from "./interfaces.mjs";
import { typeText } from "./types.mjs";
import { variantExports, variantsText } from "./variants.mjs";

/** @import { Spec } from "../schema/types.mjs" */
/** @import { Named } from "./types.mjs" */

/** @param {string} word */
const articleOf = (word) => (/^[aeio]/i.test(word) ? "an" : "a");

/** @param {string} type @param {Spec} spec @param {Named} named @param {string} stem The name of the description's file without its ending. */
export const resourceModule = (
  type,
  spec,
  named,
  stem,
) => `// Written by \`npm run generate\` from src/resources/${stem}.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { ${spec["language"].nodejs.variants === undefined ? "" : "type Documented, "}isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

${[...argsTexts(type, spec, named), classText(type, spec, named)].join("\n")}`;

/** The names of the types of its inputs. @param {string} type @param {Spec} spec @returns {string[]} */
export function argsNames(type, spec) {
  const { variants } = spec["language"].nodejs;
  return variants === undefined ? [`${type}Args`] : variantExports(variants, `${type}Args`);
}

/** @param {string} type @param {Spec} spec @param {Named} named @returns {string[]} */
function argsTexts(type, spec, named) {
  const { argsDoc, variants } = spec["language"].nodejs;
  const text = [`Inputs of ${articleOf(type)} {@link ${type}}.`, argsDoc].filter(Boolean).join(" ");
  if (variants !== undefined) return variantsText(variants, `${type}Args`, text, spec, named);
  const properties = Object.entries(spec["inputProperties"]).map(([name, input]) =>
    inputProperty(name, input, spec["requiredInputs"].includes(name), named),
  );
  return [interfaceText(`${type}Args`, text, properties.join(""))];
}

/**
 * The type of the constructor's parameter. The compiler refuses a property of a literal that the matching shape lacks, here one of the two
 * inputs if the other is there too. It accepts a value with the property, so that of a type with both.
 * @param {string} type @param {Spec} spec
 */
function parameterType(type, spec) {
  const { notTogether, variants } = spec["language"].nodejs;
  if (notTogether === undefined) return variants === undefined ? `${type}Args` : `Documented<${type}Args>`;
  const [one, other] = notTogether;
  // Both shapes have the same other inputs, not only equal ones: editors then show their texts.
  const args = `${type}Args`;
  const shared = `Omit<${args}, "${one}" | "${other}">`;
  return `${shared} & (Pick<${args}, "${one}"> | (Pick<${args}, "${other}"> & { ${one}?: undefined }))`;
}

/** @param {string} type @param {Spec} spec @param {Named} named */
function classText(type, spec, named) {
  const { doc, example, noun, idForm } = spec["language"].nodejs;
  const text = example === undefined ? doc : `${doc}\n\n\`\`\`ts\n${example}\n\`\`\``;
  const outputs = Object.entries(spec["properties"]).map(([name, output]) => {
    const value = typeText(output, "output", named);
    const held = spec["required"].includes(name) ? value : `${value} | undefined`;
    return `${comment(outputText(output), "  ")}  declare readonly ${name}: pulumi.Output<${held}>;\n`;
  });
  const { notTogether } = spec["language"].nodejs;
  const either = notTogether === undefined ? "" : ` They have \`${notTogether.join("` or `")}\`, not both.`;
  const made = `Declares ${articleOf(noun)} ${noun}.
@param name The name of the resource in the program.
@param args The inputs of the ${noun}.${either}
@param opts The options of the resource.`;
  return `${comment(text)}export class ${type} extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.${type});

  /** @internal */
  static get description() {
    return descriptions.${type};
  }

  /** Whether an object is ${articleOf(noun)} ${noun} of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is ${type} {
    return isOfType(outlines.${type}, object);
  }

${outputs.join("")}
${comment(made, "  ")}  constructor(name: string, args: ${parameterType(type, spec)}, opts?: pulumi.CustomResourceOptions) {
    super(outlines.${type}, name, args, opts);
  }

${comment(readText(noun, idForm), "  ")}  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${type} {
    return NodeCloudResource.existing(${type}, name, id, opts);
  }
}
`;
}

/** The classes of the full plugin. @param {readonly { type: string; stem: string; spec: Spec }[]} resources */
export const pluginModule = (resources) => `// Written by \`npm run generate\` from src/resources.
import type * as pulumi from "@pulumi/pulumi";
import { pluginRegistrar } from "../provider/program/plugin-registrar";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
${resources.map(({ type, stem }) => `import { ${type} as Dynamic${type} } from "./${stem}";`).join("\n")}
import { outlines } from "./outlines";

${resources.map(({ type, spec }) => pluginClassText(type, spec)).join("\n")}`;

/** @param {string} type @param {Spec} spec */
function pluginClassText(type, spec) {
  const { doc, example, noun, idForm } = spec["language"].nodejs;
  const text = example === undefined ? doc : `${doc}\n\n\`\`\`ts\n${example}\n\`\`\``;
  return `${comment(text)}export class ${type} extends Dynamic${type} {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.${type});

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is ${articleOf(noun)} ${noun} of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is ${type} {
    return isOfType(outlines.${type}, object, pluginRegistrar.typeOf(outlines.${type}));
  }

${comment(readText(noun, idForm), "  ")}  static override get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${type} {
    return NodeCloudResource.existing(${type}, name, id, opts);
  }
}
`;
}

/** @param {string} noun @param {string} idForm */
const readText = (noun, idForm) => `Reads an existing ${noun} without managing it.
@param name The name of the resource in the program.
@param id The id of the ${noun}. It has the form ${idForm}.
@param opts The options of the resource.`;
