import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    // Nothing is inlined: the Content-Security-Policy allows files of this origin only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://127.0.0.1:4000", "/media": "http://127.0.0.1:4000", "/v1": "http://127.0.0.1:4000" } },
});
