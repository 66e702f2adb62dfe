import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.backend.memory.MemoryCollection;
import de.bwaldvogel.mongo.backend.memory.MemoryDatabase;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;

/** The address goes to standard output. The server ends when its standard input does, so it cannot outlive the tests. */
class Server {
  /** The driver refuses servers below wire version 9; of what came with it, the adapter uses nothing. */
  static final MongoVersion VERSION =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new KeyedBackend().version(VERSION));
    server.bind("127.0.0.1", 0);
    System.out.println("mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/");
    while (System.in.read() != -1) {}
    server.shutdownNow();
    System.exit(0);
  }
}

/** The server looks up documents by `_id` only where a query asks for nothing else. These do whenever one names it; the rest is compared as before. */
class KeyedBackend extends MemoryBackend {
  @Override
  public MemoryDatabase openOrCreateDatabase(String name) {
    return new MemoryDatabase(name, getCursorRegistry()) {
      @Override
      protected MemoryCollection openOrCreateCollection(String name, CollectionOptions options) {
        return new KeyedCollection(this, name, options, getCursorRegistry());
      }
    };
  }
}

class KeyedCollection extends MemoryCollection {
  KeyedCollection(MemoryDatabase database, String name, CollectionOptions options, CursorRegistry cursors) {
    super(database, name, options, cursors);
  }

  @Override
  protected QueryResult matchDocuments(Document query, Document order, int skip, int limit, int batch, Document fields) {
    if (query.containsKey("_id")) {
      Document key = new Document("_id", query.get("_id"));
      for (Index<Integer> index : getIndexes()) {
        if (index.canHandle(key)) return matchDocuments(query, index.getPositions(key), order, skip, limit, batch, fields);
      }
    }
    return super.matchDocuments(query, order, skip, limit, batch, fields);
  }
}
