import type * as grpcLibrary from "@grpc/grpc-js";
import type * as empties from "google-protobuf/google/protobuf/empty_pb";
import type * as anys from "google-protobuf/google/protobuf/any_pb";
import type * as structs from "google-protobuf/google/protobuf/struct_pb";
import type * as services from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import type * as plugins from "@pulumi/pulumi/proto/plugin_pb";
import type * as statuses from "@pulumi/pulumi/proto/status_pb";
import { fromSdk } from "../../provider/base/from-sdk";

export const grpc = fromSdk("@grpc/grpc-js") as typeof grpcLibrary;
export const { Empty } = fromSdk("google-protobuf/google/protobuf/empty_pb") as typeof empties;
export const { Any } = fromSdk("google-protobuf/google/protobuf/any_pb") as typeof anys;
export const { Struct } = fromSdk("google-protobuf/google/protobuf/struct_pb") as typeof structs;
export const { ResourceProviderService } = fromSdk(
  "@pulumi/pulumi/proto/provider_grpc_pb",
) as typeof services;
export const provider = fromSdk("@pulumi/pulumi/proto/provider_pb") as typeof messages;
export const { PluginInfo } = fromSdk("@pulumi/pulumi/proto/plugin_pb") as typeof plugins;
export const { Status } = fromSdk("@pulumi/pulumi/proto/status_pb") as typeof statuses;
