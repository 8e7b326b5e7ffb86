import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles folder/N/Main.java into folder/N for each N given: one warm compiler for many programs. */
public class Compile {
    public static void main(String[] names) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (int k = 1; k < names.length; k++) {
            Path work = Path.of(names[0], names[k]);
            DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
            try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
                List<String> options = List.of("-d", work.toString(), "-proc:none", "-nowarn", "-g:none");
                boolean right = compiler.getTask(null, files, found, options, null, files.getJavaFileObjects(work.resolve("Main.java"))).call();
                Files.writeString(work.resolve("outcome"), right ? "ok" : found.getDiagnostics().get(0).getMessage(null));
            }
        }
    }
}
