/** Tools that search and read the documentation. */
import { Type } from '../../kernel/base/index.ts'
import { docsPage, docsPages, searchDocs, sectionNames, sectionText } from './docs.ts'
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
  narrow: 'Pass `section` for the text below one heading.',
  input: Type.Object({
    page: Type.Optional(Type.String()),
    section: Type.Optional(Type.String({ description: 'A heading of the page, as search_docs returns it.' })),
  }),
  fromPackage: true,
  run({ page, section }) {
    if (page === undefined) return docsPages()
    const text = docsPage(page)
    if (text === undefined)
      throw new CallError(`The docs have no page "${page}". Call read_docs without arguments for the list.`)
    if (section === undefined) return text
    const found = sectionText(text, section)
    if (found === undefined)
      throw new CallError(`The page has no section "${section}". It has ${sectionNames(text).join(', ')}.`)
    return found
  },
})
