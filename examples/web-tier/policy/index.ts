import { PolicyPack } from "@pulumi/policy";
import { rules } from "./rules";

new PolicyPack("web-tier", { enforcementLevel: "mandatory", policies: rules });
