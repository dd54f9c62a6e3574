-- A position outlives its thread, because cursors do not expire: whoever pages by the id of a thread goes on where it stood.

-- DropForeignKey
ALTER TABLE "list_position" DROP CONSTRAINT "list_position_thread_id_fkey";

-- DropIndex
DROP INDEX "list_position_thread_id_idx";
