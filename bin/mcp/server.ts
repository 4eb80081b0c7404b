/** The Model Context Protocol: which tools and resources there are, and how replies are sent. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import {
  createValidator,
  isRecord,
  Problem,
  packageVersion,
  type ValueCheck,
  wholeSchema,
} from '../../kernel/base/index.ts'
import { answerPage, answerText } from './answer-pages.ts'
import { readDocs, searchDocsTool } from './docs-tools.ts'
import {
  getRoute,
  listErrorCodes,
  listEvents,
  listModules,
  listPermissions,
  listRoles,
  listRoutes,
} from './product-tools.ts'
import { CallError, type Project } from './project.ts'
import { checkRecipe, getRecipe, getRecipeSchema, planRecipe } from './recipe-tools.ts'
import { resources } from './resources.ts'
import type { Tool, ToolContext } from './tool.ts'

const TOOLS: readonly Tool[] = [
  getRecipe,
  getRecipeSchema,
  checkRecipe,
  planRecipe,
  listModules,
  listRoutes,
  getRoute,
  listEvents,
  listPermissions,
  listRoles,
  listErrorCodes,
  searchDocsTool,
  readDocs,
]

const INSTRUCTIONS =
  'Larder runs a product back end from one YAML recipe. These tools read the recipe of this project and the docs of the ' +
  'installed version, check recipes and plan them. They change nothing and show no secrets. Before you edit the ' +
  'recipe, read the schema of the part (get_recipe_schema) and the page of the module (read_docs). Check your text ' +
  'with check_recipe before you save it, and fix every problem. Long answers come in parts; a note names the offset of ' +
  'the next one. To apply a recipe, ask the user to restart Larder or ' +
  'to run `larder recipe apply`.'

/** Tools have JSON Schemas, so this is the low-level server: `McpServer` accepts only Zod schemas. */
export function createMcpServer(project: Project): Server {
  const server = new Server(
    { name: 'larder', title: 'Larder', version: packageVersion },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )
  const checks = validators()
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(describe) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) => {
    const tool = TOOLS.find(known => known.name === name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, 'Unknown tool')
    return call(tool, checks.get(tool) as ValueCheck, args, { project, redactor: project.redactor() })
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources().map(({ read: _, fromPackage: __, ...resource }) => resource),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const resource = resources().find(known => known.uri === uri)
    if (!resource) throw new McpError(ErrorCode.InvalidParams, 'Unknown resource')
    const context = { project, redactor: project.redactor() }
    const text = await textOf(resource.fromPackage, () => resource.read(context), context)
    if (text.failed) throw new McpError(ErrorCode.InternalError, text.text)
    return { contents: [{ uri, mimeType: resource.mimeType, text: text.text }] }
  })
  return server
}

const describe = ({ name, title, description, input }: Tool) => ({
  name,
  title,
  description,
  inputSchema: inputSchemaOf(input) as { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
})

const inputSchemaOf = (input: Tool['input']) => wholeSchema({ close: true, dialect: '2020-12' }, input)

function validators(): ReadonlyMap<Tool, ValueCheck> {
  const validator = createValidator()
  return new Map(TOOLS.map(tool => [tool, validator.body(tool.input)]))
}

async function call(tool: Tool, check: ValueCheck, args: unknown, context: ToolContext): Promise<CallToolResult> {
  const answer = await textOf(tool.fromPackage, () => tool.run(check(args), context), context)
  const { text, note } = answerPage(answer.text, offsetOf(args), tool.narrow)
  const content = [text, ...(note === undefined ? [] : [note])].map(each => ({ type: 'text' as const, text: each }))
  return { content, ...(answer.failed && { isError: true }) }
}

/** 0 for arguments that are invalid, whose answer is an error. */
const offsetOf = (args: unknown): number => (isRecord(args) && Number.isInteger(args.offset) ? Number(args.offset) : 0)

/** Redacted unless it is documentation. Errors are text that the assistant can act on. */
async function textOf(
  fromPackage: boolean | undefined,
  work: () => unknown,
  { project, redactor }: ToolContext,
): Promise<{ text: string; failed: boolean }> {
  try {
    const value = await work()
    return { text: answerText(fromPackage ? value : redactor.apply(value)), failed: false }
  } catch (error) {
    return { text: redactor.apply(errorText(error, project)), failed: true }
  }
}

function errorText(error: unknown, project: Project): string {
  if (error instanceof CallError) return error.message
  // The arguments are invalid.
  if (Problem.is(error) && Array.isArray(error.extras.errors))
    return error.extras.errors
      .filter(isRecord)
      .map(({ pointer, detail }) => `${pointer || 'arguments'}: ${detail}`)
      .join('\n')
  return project.explain(error)
}
