/** Tools that search and read the documentation. */
import { Type } from '../../kernel/base/index.ts'
import { docsPage, docsPages, searchDocs } from './docs.ts'
import { CallError } from './project.ts'
import { defineTool } from './tool.ts'

export const searchDocsTool = defineTool({
  name: 'search_docs',
  title: 'Search the docs',
  description: 'Searches the documentation of this version of Larder. Returns the best sections.',
  input: Type.Object({ query: Type.String({ minLength: 1, maxLength: 200 }) }),
  fromPackage: true,
  run: ({ query }) => searchDocs(query),
})

export const readDocs = defineTool({
  name: 'read_docs',
  title: 'Read the docs',
  description:
    'Returns a page of the documentation as Markdown, for example `recipe`, `modules` or the name of a shipped module. Without `page`, it lists the pages.',
  input: Type.Object({ page: Type.Optional(Type.String()) }),
  fromPackage: true,
  run({ page }) {
    if (page === undefined) return docsPages()
    const text = docsPage(page)
    if (text === undefined)
      throw new CallError(`The docs have no page "${page}". Call read_docs without arguments for the list.`)
    return text
  },
})
