export { quietly } from "../../api/quietly";
