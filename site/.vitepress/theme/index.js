/** VitePress's own theme, with the fonts of the system: the site fetches nothing from elsewhere, and is smaller. */
import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
