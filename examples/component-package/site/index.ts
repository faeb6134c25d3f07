import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

export interface SiteArgs {
  /** The domain of the site. */
  readonly domain: pulumi.Input<string>;
  /** The image of the node. A change replaces the node. */
  readonly image: pulumi.Input<string>;
}

/** A node behind the name `www` of a domain. */
export class Site extends pulumi.ComponentResource {
  readonly url: pulumi.Output<string>;

  constructor(name: string, args: SiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super("example:site:Site", name, {}, opts);
    // Children inherit the provider of the component, and its option `protect`.
    const child = { parent: this };
    const node = new nodecloud.Node(
      `${name}-web`,
      { region: "us-east", type: "g6-nanode-1", image: args.image },
      child,
    );
    const zone = new nodecloud.Domain(
      `${name}-zone`,
      { domain: args.domain, type: "master", soaEmail: pulumi.interpolate`dns@${args.domain}` },
      child,
    );
    const target = node.ipv4.apply(([first = ""]) => first);
    new nodecloud.DomainRecord(`${name}-www`, { domainId: zone.id, type: "A", name: "www", target }, child);
    this.url = pulumi.interpolate`http://www.${zone.domain}/`;
    this.registerOutputs({ url: this.url });
  }
}
