/** Name of the product. The server writes it into the document. */
export const product: string = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? ''
