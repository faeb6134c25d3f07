import type * as grpcLibrary from "@grpc/grpc-js";
import { classIn } from "../../provider/describe/type-token";
import { partsOfUrn } from "../../provider/describe/urn";
import { ProviderError } from "../../provider/base/errors";
import { descriptions } from "../../resources";
import { outlines } from "../../sdk/outlines";
import { serve } from "../lifecycles";
import { type Host, packageMethods, providerMethods } from "./provider-methods";
import { PluginResource } from "./resource";
import { resourceMethods } from "./resource-methods";
import { cached } from "../../api/cached";

type Type = keyof typeof descriptions;

interface ResourceHost extends Host {
  /** Notes the URN that the engine uses for a resource. */
  hears(urn: string): void;
}

/** The methods of the protocol's `ResourceProvider` that this plugin has. */
export function resourceProvider(host: ResourceHost): grpcLibrary.UntypedServiceImplementation {
  const { ports } = host;
  const served = new Map<string, PluginResource>();
  const resource = (urn: string): PluginResource => {
    host.hears(urn);
    const { project, stack, types } = partsOfUrn(urn);
    const token = types.at(-1) ?? "";
    const type = classIn(token) ?? "";
    if (!Object.hasOwn(descriptions, type))
      throw new ProviderError(`there is no resource ${token}`, { code: "PLUGIN_MISMATCH" });
    ports.run.stack.hears({ organization: "", project, stack });
    const make = () => new PluginResource(serve(ports, type as Type), outlines[type as Type], ports);
    return cached(served, type, make);
  };
  const methods = { ...packageMethods(host), ...providerMethods(host), ...resourceMethods(resource) };
  return methods as unknown as grpcLibrary.UntypedServiceImplementation;
}
