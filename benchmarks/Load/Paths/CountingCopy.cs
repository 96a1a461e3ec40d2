using System.Runtime.CompilerServices;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace EventHubThroughput.Load.Paths;

/// <summary>A copy of the programs whose assemblies count how often each method is entered and each lock taken.</summary>
internal static class CountingCopy
{
    private const string Common = "EventHubThroughput.";

    /// <summary>Copies a folder of programs. Returns the places in the order of their counters.</summary>
    /// <param name="from">The folder.</param>
    /// <param name="to">The folder of the copy, which is created.</param>
    public static IReadOnlyList<CountedPlace> Make(string from, string to)
    {
        Directory.CreateDirectory(to);

        // Without the lists of dependencies the host loads any assembly in the folder, and so this one.
        foreach (var file in Directory.EnumerateFiles(from).Where(static file => !file.EndsWith(".deps.json", StringComparison.Ordinal)))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }

        var places = new List<CountedPlace>();
        foreach (var file in Directory.EnumerateFiles(to, $"{Common}*.dll").Append(Path.Combine(to, "consumer.dll")).Order(StringComparer.Ordinal))
        {
            Instrument(file, places);
        }

        return places.Count <= EntryCounters.Most ? places : throw new InvalidOperationException($"{places.Count} places, at most {EntryCounters.Most}");
    }

    private static void Instrument(string file, List<CountedPlace> places)
    {
        using var resolver = new DefaultAssemblyResolver();
        resolver.AddSearchDirectory(Path.GetDirectoryName(file));
        resolver.AddSearchDirectory(Path.GetDirectoryName(typeof(object).Assembly.Location));
        using var content = new MemoryStream(File.ReadAllBytes(file));
        using var assembly = AssemblyDefinition.ReadAssembly(content, new ReaderParameters { AssemblyResolver = resolver });
        var counter = assembly.MainModule.ImportReference(typeof(EntryCounters).GetMethod(nameof(EntryCounters.Count)));
        var name = assembly.Name.Name.Replace(Common, string.Empty, StringComparison.Ordinal);
        foreach (var method in assembly.MainModule.GetTypes().SelectMany(static type => type.Methods).Where(IsCounted).ToList())
        {
            // Uses long branches, because the added code may exceed the range of a short one.
            method.Body.SimplifyMacros();
            var type = SourceType(method.DeclaringType).FullName.Replace(Common, string.Empty, StringComparison.Ordinal);
            var code = method.Body.GetILProcessor();
            var first = method.Body.Instructions[0];
            foreach (var call in method.Body.Instructions.Where(IsAcquisition).ToList())
            {
                var count = Next(PlaceKind.Lock);
                code.InsertAfter(call, count[1]);
                code.InsertAfter(call, count[0]);
            }

            foreach (var instruction in Next(IsWritten(method) ? PlaceKind.Code : PlaceKind.Data))
            {
                code.InsertBefore(first, instruction);
            }

            method.Body.OptimizeMacros();

            Instruction[] Next(PlaceKind kind)
            {
                places.Add(new CountedPlace(name, type, method.Name, kind));
                return [code.Create(OpCodes.Ldc_I4, places.Count - 1), code.Create(OpCodes.Call, counter)];
            }
        }

        assembly.Write(file);
    }

    // Skips types that only the compiler names.
    private static bool IsCounted(MethodDefinition method) => method.HasBody && !SourceType(method.DeclaringType).Name.Contains('<', StringComparison.Ordinal);

    private static bool IsAcquisition(Instruction instruction) =>
        instruction.Operand is MethodReference called
        && (called.DeclaringType.FullName, called.Name)
            is
                ("System.Threading.Monitor", "Enter" or "TryEnter")
                or
                ("System.Threading.Lock", "Enter" or "EnterScope" or "TryEnter")
                or
                ("System.Threading.SemaphoreSlim", "Wait" or "WaitAsync");

    // Bodies of lambdas, iterators and asynchronous methods are in generated types. Local functions have the compiler's mark and a separate name.
    private static bool IsWritten(MethodDefinition method) =>
        method.DeclaringType.Name.Contains('<', StringComparison.Ordinal)
        || method.Name.Contains('<', StringComparison.Ordinal)
        || !(method.IsConstructor || method.CustomAttributes.Any(static mark => mark.AttributeType.Name == nameof(CompilerGeneratedAttribute)));

    private static TypeDefinition SourceType(TypeDefinition type) =>
        type.DeclaringType is { } outer && type.Name.Contains('<', StringComparison.Ordinal) ? SourceType(outer) : type;
}
