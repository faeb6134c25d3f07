export { cached } from "../../api/cached";
