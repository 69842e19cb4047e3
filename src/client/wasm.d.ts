/** The address of a file the bundler copies. */
declare module "*.wasm" {
  const url: string;
  export default url;
}
