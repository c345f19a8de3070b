// Moving through the table of batches with keys.
import { startRows } from "./rows.js";

startRows("[data-row]");
