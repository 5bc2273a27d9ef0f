/** Reads PDF files beside the page. The module answers the messages of pdf-view.tsx by itself. */
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
