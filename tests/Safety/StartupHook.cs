using System.Diagnostics.CodeAnalysis;

/// <summary>
/// Loaded into a consumer by the runtime before its own code (<c>DOTNET_STARTUP_HOOKS</c>). It is a library that behaves badly inside the real
/// executable, which needs no hook for that. <c>EHT_STRESS</c> selects the behaviour.
/// </summary>
[SuppressMessage("Design", "MA0047:Declare types in namespaces", Justification = "The runtime looks for this very name.")]
internal static class StartupHook
{
    private const int Calls = 64;
    private static readonly TimeSpan Before = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Held = TimeSpan.FromSeconds(10);

    public static void Initialize()
    {
        if (Environment.GetEnvironmentVariable("EHT_STRESS") == "starve")
        {
            new Thread(Starve) { IsBackground = true, Name = "stress" }.Start();
        }
    }

    // Calls that block where they should wait: the pool gives out its threads to them and has none left for the rest.
    private static void Starve()
    {
        using var never = new ManualResetEventSlim();
        never.Wait(Before);
        for (var call = 0; call < Calls; call++)
        {
            ThreadPool.QueueUserWorkItem(static _ =>
            {
                using var held = new ManualResetEventSlim();
                held.Wait(Held);
            });
        }
    }
}
