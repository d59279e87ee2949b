/** The reader and writer of YAML, as a module of ours: an import that waits for the package itself finds nothing by name in a bundle in parts. */
export { parse, stringify } from 'yaml';
