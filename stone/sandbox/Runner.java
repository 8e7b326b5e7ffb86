import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.reflect.InvocationTargetException;

/** Reads a secret before the program's classes load, runs Main, and writes the secret once Main.main has returned. */
public class Runner {
    public static void main(String[] arguments) throws Exception {
        byte[] secret = System.in.readAllBytes();
        FileOutputStream proof = new FileOutputStream(FileDescriptor.err);
        try {
            Class.forName("Main").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException error) {
            Throwable cause = error.getCause();
            proof.write(cause.toString().getBytes());
            int code = cause instanceof AssertionError ? 77 : cause instanceof OutOfMemoryError ? 78 : 79;
            Runtime.getRuntime().halt(code);
        }
        proof.write(secret);
        Runtime.getRuntime().halt(0);
    }
}
