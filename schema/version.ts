/** Version of this engine, as plans and audit records name it. A test holds it equal to the package's version. */
export const engineVersion = "0.1.0";
