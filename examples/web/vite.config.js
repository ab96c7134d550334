export default {
    base: "./",
    assetsInclude: ["**/*.nnue"],
    worker: { format: "es" },
    optimizeDeps: { exclude: ["luft-chess"] }, // its worker is a file of its own, which the development server must find
    build: { assetsInlineLimit: 0 },
};
