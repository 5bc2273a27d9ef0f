/** Reads PDF files beside the page. The module handles the messages of pdf-view.tsx by itself. */
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
