/** The page with the files of a folder. */
export const filesPath = (folder: string, query: Readonly<Record<string, string>> = {}): string => {
  const search = new URLSearchParams({ ...(folder !== '' && { folder }), ...query }).toString()
  return search === '' ? '/files' : `/files?${search}`
}
