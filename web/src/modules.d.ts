declare module "*.nnue?url" {
    const url: string;
    export default url;
}
