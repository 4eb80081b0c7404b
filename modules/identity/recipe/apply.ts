import type { Deps } from '@larder-dev/larder/kernel'
import type { IdentityServices } from '../services.ts'

/** Creates the operator's tenant. Prints a claim code while the installation has no owner. */
export async function claimInstallation({ claims, product }: Deps<'product'> & IdentityServices): Promise<void> {
  const code = await claims.prepare()
  if (code === null) return
  // Written to the terminal, not to the log: logs must not contain secrets.
  process.stderr.write(
    [
      '',
      `  ${product.name} has no owner yet. To become its owner, open this address within one hour and enter the code:`,
      '',
      `      ${product.publicUrl}/claim`,
      `      ${code}`,
      '',
      '  The code works once and is not shown again. Programs send it to:',
      '',
      `      POST ${product.publicUrl}/v1/auth/claim  {"code": "${code}"}`,
      '',
      '',
    ].join('\n'),
  )
}
