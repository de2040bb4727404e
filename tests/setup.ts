import fc from 'fast-check'

/** Every run tries the same cases, so that a failure is there again; `QUERENT_SEED` tries others. */
fc.configureGlobal({ seed: Number(process.env['QUERENT_SEED'] ?? 20_261_130) })
