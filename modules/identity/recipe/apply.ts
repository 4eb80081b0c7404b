/** Makes the operator's tenant and, while nobody has claimed it, shows how to. */
import type { Deps } from 'larder/kernel'
export async function reconcile({ identity, product }: Deps<'identity' | 'product'>): Promise<void> {
  const code = await identity.claims.prepare()
  if (code === null) return
  // Past the log, which holds no secret: this is the one place where the code is seen.
  process.stderr.write(
    [
      '',
      `  Nobody owns this installation of ${product.name} yet. To become its owner, sign in and send this code`,
      '  within an hour; it works once and is not shown again:',
      '',
      `      ${code}`,
      '',
      `      POST ${product.publicUrl}/v1/auth/claim  {"code": "${code}"}`,
      '',
      '',
    ].join('\n'),
  )
}
