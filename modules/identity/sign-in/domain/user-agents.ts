const MAX_LENGTH = 300

/** What is stored of the header `User-Agent`. */
export const userAgentOf = (headers: { readonly 'user-agent'?: string | undefined }): string | null =>
  headers['user-agent']?.slice(0, MAX_LENGTH) ?? null
