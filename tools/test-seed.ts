import fc from "fast-check";

/**
 * Generated inputs are the same in every ordinary run: one that fails can be run again, and a change that breaks nothing
 * cannot fail by chance. `STET_SOAK=1` looks further with new ones; what fails there names its seed, for `STET_TEST_SEED`.
 */
const { STET_SOAK: soak, STET_TEST_SEED: given } = process.env;
if (given) fc.configureGlobal({ seed: Number(given) });
else if (!soak) fc.configureGlobal({ seed: 1 });
