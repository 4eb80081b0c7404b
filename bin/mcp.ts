import type { Command } from 'commander'
import { importOptional } from '../kernel/base/index.ts'

export function mcpCommand(program: Command): void {
  program
    .command('mcp [recipe]')
    .description('let a coding assistant read the recipe and the docs, over stdio (Model Context Protocol)')
    .action(async (recipe: string | undefined) => {
      // The SDK takes longer to import than most commands run.
      const { serveMcp } = await importOptional('@modelcontextprotocol/sdk', () => import('./mcp/serve.ts'))
      await serveMcp(recipe)
    })
}
