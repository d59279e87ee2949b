/** The parser and writer of YAML as a module of ours: in a split bundle, a dynamic import of the package itself has no named exports. */
export { parse, stringify } from 'yaml';
