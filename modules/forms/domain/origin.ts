/** True for an origin as browsers write it, such as `https://shop.example`. */
export const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
