"""Names of attributes that built-in and common standard types have.

Such a name tells nothing of which class is meant: a receiver of unknown type is far more often a string, a list, a
file or a DOM node than the one repository class that happens to define the name too.
"""

from __future__ import annotations

# Public attributes of the built-in types and of the types of re, datetime, pathlib, logging, threading, socket,
# subprocess, collections, asyncio, sqlite3, zipfile, unittest and the like (Python 3.12), functions of os, time,
# math, json, itertools; methods of the ECMAScript built-ins, of DOM nodes, streams, promises and emitters.
_WORDS = """
    BOOLEAN_STATES DataError DatabaseError Error IntegrityError InterfaceError InternalError NONSPACECRE
    NotSupportedError OPEN_METH OPTCRE OPTCRE_NV OperationalError ProgrammingError SECTCRE VERSION Warning abort
    absolute abspath accept access accumulate acos acosh acquire acquire_lock activate_stack_trampoline add
    addClassCleanup addCleanup addEventListener addFilter addHandler addTypeEqualityFunc add_argument
    add_argument_group add_cookie_header add_done_callback add_handler add_header add_mutually_exclusive_group
    add_note add_option add_option_group add_options add_reader add_section add_signal_handler add_subparsers
    add_unredirected_header add_writer addaudithook addfile adjusted after all allSettled anchor animate any append
    appendChild appendleft apply args arrayBuffer arraysize as_bytes as_integer_ratio as_posix as_string as_tuple
    as_uri asctime asin asinh assert assertAlmostEqual assertCountEqual assertDictEqual assertEqual assertFalse
    assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone assertIsNot assertIsNotNone
    assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs assertNotAlmostEqual
    assertNotEqual assertNotIn assertNotIsInstance assertNotRegex assertRaises assertRaisesRegex assertRegex
    assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns assertWarnsRegex assign astimezone at
    atan atan2 atanh attach attrib audit auto_open autocommit backup basename batched before begin betavariate bind
    bind_partial binomialvariate bit_count bit_length blob blobopen block_size blur breakpointhook buffer
    buffer_info bytes bytes_le byteswap bz2open c_contiguous cache cached_property calcsize call callHandlers
    call_at call_exception_handler call_later call_soon call_soon_threadsafe call_tracing callback cancel cancelled
    cancelling canonical capitalize casefold cast catch cbrt ceil center chain charAt charCodeAt chdir check_call
    check_output check_values chmod choice choices chown chroot clear clear_expired_cookies clear_session_cookies
    click clock_getres clock_gettime clock_gettime_ns clock_seq clock_seq_hi_variant clock_seq_low clock_settime
    clock_settime_ns clone cloneNode close closed closefd closerange closest cmp_to_key codePointAt comb
    combinations combinations_with_replacement combine comment commit commonpath commonprefix communicate compare
    compare_signal compare_total compare_total_mag compile compress concat confstr conjugate connect
    connect_accepted_socket connect_ex connect_read_pipe connect_write_pipe connection contains contiguous
    convert_arg_line_to_args converters copy copyWithin copy_abs copy_file_range copy_negate copy_sign copysign cos
    cosh count countTestCases cpu_count cr_await cr_code cr_frame cr_origin cr_running cr_suspended create
    createLock create_aggregate create_collation create_connection create_datagram_endpoint create_function
    create_future create_server create_task create_unix_connection create_unix_server create_window_function
    critical ctermid ctime cursor cwd cycle daemon data date day days deactivate_stack_trampoline debug debuglevel
    decode defaultTestResult default_exception_handler default_factory default_port defaultdict defaults
    defineProperty degrees del_param delete denominator deque dereference describe description deserialize destroy
    detach detect_encoding device_encoding difference difference_update digest digest_size dirname
    disable_interspersed_args discard disconnect dispatchEvent displayhook dist doClassCleanups doCleanups domain_re
    done dots_re drive dropwhile dst dump dumps dup dup2 elements emit empty enable_interspersed_args encode
    encoding end endheaders endpos endsWith endswith enterClassContext enterContext enter_context entries erf erfc
    error errorlevel errors escape eventfd eventfd_read eventfd_write every exc_info excepthook exception exec execl
    execle execlp execlpe execute executemany executescript execv execve execvp execvpe exists exit exp exp2 expand
    expand_prog_name expandtabs expanduser expandvars expect expm1 expovariate extend extendleft extract
    extract_cookies extractall extractfile extraction_filter f_contiguous fabs factorial fail failureException
    family fatal fchdir fchmod fchown fdatasync fdopen fetch fetchall fetchmany fetchone fields fileno fileobject
    fill filter filterfalse finally find findCaller findIndex findLast findLastIndex findall finditer findtext flags
    flat flatMap floor flush fma fmod focus fold forEach forceUpdate fork forkpty formData format format_description
    format_epilog format_help format_map format_option_help format_usage fp fpathconf freeze frexp from fromEntries
    from_bytes from_callable from_decimal from_float frombytes fromfile fromhex fromisocalendar fromisoformat
    fromkeys fromlist fromordinal fromtimestamp fromunicode fromutc fsdecode fsencode fspath fstat fstatvfs fsum
    fsync ftruncate full full_url fullmatch fwalk gamma gammavariate gauss gcd generic_visit get getAttribute
    getBoundingClientRect getChild getChildren getContext getDate getDay getEffectiveLevel getElementById
    getElementsByClassName getElementsByTagName getFullYear getHours getItem getMilliseconds getMinutes getMonth
    getName getOwnPropertyNames getPrototypeOf getSeconds getTime get_all get_asyncgen_hooks get_blocking
    get_boundary get_cache_token get_charset get_charsets get_clock_info get_content_charset get_content_disposition
    get_content_maintype get_content_subtype get_content_type get_context get_coro
    get_coroutine_origin_tracking_depth get_debug get_default get_default_type get_default_values get_description
    get_exception_handler get_exec_path get_filename get_full_url get_header get_inheritable get_int_max_str_digits
    get_loop get_method get_name get_nowait get_option get_option_group get_param get_params get_payload
    get_prog_name get_proxy_response_headers get_stack get_task_factory get_terminal_size get_unixfrom get_usage
    get_version getaddrinfo getallocatedblocks getatime getblocking getboolean getbuffer getcode getconfig getctime
    getcwd getcwdb getdefaultencoding getdlopenflags getegid getenv getenvb geteuid getfilesystemencodeerrors
    getfilesystemencoding getfloat getgid getgrouplist getgroups getheader getheaders getinfo getint getlimit
    getloadavg getlogin getmember getmembers getmtime getnameinfo getnames getoutput getpeername getpgid getpgrp
    getpid getppid getpriority getprofile getrandbits getrandom getrecursionlimit getrefcount getresgid getresponse
    getresuid getroot getsid getsize getsizeof getsockname getsockopt getstate getstatusoutput getswitchinterval
    gettarinfo gettimeout gettrace getuid getunicodeinternedsize geturl getvalue getxattr gi_code gi_frame
    gi_running gi_suspended gi_yieldfrom glob gmtime group groupEnd groupby groupdict groupindex groups gzopen
    handle handleError hardlink_to has hasAttribute hasHandlers hasOwnProperty has_header has_option has_proxy
    has_section header_items hex hexdigest home hour hypot id ident ignore_zeros imag in_transaction includes index
    indexOf indices info infolist initgroups insert insertBefore int intern interrupt intersection
    intersection_update is isArray isDaemon isEnabledFor isPrototypeOf isSet is_absolute is_alive is_block_device
    is_canonical is_char_device is_closed is_dir is_fifo is_file is_finalizing is_finite is_infinite is_integer
    is_junction is_mount is_multipart is_nan is_normal is_qnan is_relative_to is_reserved is_running is_safe is_set
    is_signed is_snan is_socket is_stack_trampoline_active is_subnormal is_symlink is_zero isabs isalnum isalpha
    isascii isatty isclose isclosed isdecimal isdigit isdir isdisjoint isfile isfinite isidentifier isinf isjunction
    islice islink islower ismount isnan isnumeric isocalendar isoformat isolation_level isoweekday isprintable isqrt
    isspace issubset issuperset istitle isupper it items itemsize iter iter_unpack iterdir iterdump iterfind
    itertext join joinpath json keys kill killpg lastIndexOf lastgroup lastindex lastrowid lchmod lchown lcm ldexp
    lexists lgamma limit_denominator line_buffering link list list2cmdline listdir listen listenerCount listxattr
    ljust ln load loads localeCompare localtime locked locked_lock lockf log log10 log1p log2 logb logical_and
    logical_invert logical_or logical_xor login_tty lognormvariate longMessage lower lru_cache lseek lstat lstrip
    magic_re major makeRecord make_cookies makedev makedir makedirs makeelement makefifo makefile makelink maketrans
    makeunknown manager map match matchAll matches max maxDiff max_mag maxlen maxsize memfd_create microsecond
    microseconds min min_mag minor minute mkdir mkfifo mknod mktime mode modf monotonic monotonic_ns month
    most_common move_to_end mro name namedtuple namelist native_id nbytes ndim new_child newlines next next_minus
    next_plus next_toward nextafter nice node non_word_re normalize normalvariate normcase normpath notify notifyAll
    notify_all now number_class numerator obj observe of off on once open openpty options optionxform owner pack
    pack_into padEnd padStart pairwise parameters parent parents paretovariate parse parse_args
    parse_intermixed_args parse_known_args parse_known_intermixed_args partial partialmethod partition parts
    pathconf pattern pause peek perf_counter perf_counter_ns perm permutations pidfd_open pipe pipe2 poll pop
    pop_all popen popitem popleft pos posix_fadvise posix_fallocate posix_spawn posix_spawnp postMessage pow pread
    preadv prepend preventDefault print_help print_stack print_usage print_version printdir process_time
    process_time_ns prod product propertyIsEnumerable proto pthread_getcpuclockid purge push put put_nowait putenv
    putheader putrequest pwrite pwritev qsize quantize querySelector querySelectorAll quote_re race radians radix
    randbytes randint random randrange raw raw_items re read read1 read_bytes read_dict read_file read_string
    read_text readable readall readinto readinto1 readline readlines readlink readonly readv real realpath
    reconfigure recursive_repr recv recv_into recvfrom recvfrom_into recvmsg recvmsg_into redirect reduce
    reduceRight register register_at_fork regs reject relative_to release release_lock relpath remainder
    remainder_near remove removeAllListeners removeAttribute removeChild removeEventListener removeFilter
    removeHandler removeItem removeListener remove_done_callback remove_header remove_option remove_reader
    remove_section remove_signal_handler remove_writer removedirs removeprefix removesuffix removexattr rename
    renames render repeat replace replaceAll replaceChild replace_header request resolution resolve response_class
    result resume return return_annotation reverse rfind rglob rindex rjust rmdir rollback root rotate route
    row_factory rowcount rpartition rsplit rstrip run run_forever run_in_executor run_until_complete running
    same_quantum samefile sameopenfile samestat sample scaleb scandir scanner sched_get_priority_max
    sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_param sched_rr_get_interval
    sched_setaffinity sched_setparam sched_setscheduler sched_yield scrollIntoView scrollTo search second seconds
    sections seed seek seekable send send_signal sendall sendfile sendmsg sendmsg_afalg sendto serialize set
    setAttribute setDaemon setDate setFormatter setFullYear setHours setItem setLevel setMinutes setMonth setName
    setSeconds setState setUp setUpClass set_asyncgen_hooks set_authorizer set_blocking set_boundary set_charset
    set_conflict_handler set_cookie set_cookie_if_ok set_coroutine_origin_tracking_depth set_debug set_debuglevel
    set_default set_default_executor set_default_type set_defaults set_description set_exception
    set_exception_handler set_inheritable set_int_max_str_digits set_name set_param set_payload set_policy
    set_process_default_values set_progress_handler set_proxy set_raw set_result set_running_or_notify_cancel
    set_task_factory set_trace_callback set_tunnel set_type set_unixfrom set_usage setblocking setconfig setdefault
    setdlopenflags setegid seteuid setgid setgroups setinputsizes setlimit setns setoutputsize setpassword setpgid
    setpgrp setpriority setprofile setrecursionlimit setregid setresgid setresuid setreuid setsid setsockopt
    setstate setswitchinterval settimeout settrace setuid setxattr shape shift shortDescription shuffle shutdown
    shutdown_asyncgens shutdown_default_executor sin singledispatch singledispatchmethod sinh size skipTest sleep
    slice sock_accept sock_connect sock_recv sock_recv_into sock_recvfrom sock_recvfrom_into sock_sendall
    sock_sendfile sock_sendto some sort span spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe splice
    split splitdrive splitext splitlines splitroot sqrt standard_option_list starmap start start_tls startsWith
    startswith stat stat_result status statvfs statvfs_result stem step stop stopImmediatePropagation
    stopPropagation strerror strftime strict_domain_re strides string stringify strip strptime struct_time sub
    subTest submit subn suboffsets subprocess_exec subprocess_shell subscribe substr substring subtract suffix
    suffixes sumprod swapcase symlink symlink_to symmetric_difference symmetric_difference_update sync sysconf
    system table tag tail takeRecords takewhile tan tanh tarinfo taropen task_done tcgetpgrp tcsetpgrp tearDown
    tearDownClass tee tell template terminal_size terminate test testzip text text_factory then thread_time
    thread_time_ns throw time timeEnd time_hi_version time_low time_mid time_ns timeout times times_result timestamp
    timetuple timetz title toBe toDataURL toEqual toExponential toFixed toISOString toJSON toLocaleString
    toLowerCase toPrecision toReversed toSorted toSpliced toString toUpperCase to_bytes to_eng_string to_integral
    to_integral_exact to_integral_value tobytes today tofile tolist toordinal toreadonly total total_changes
    total_ordering total_seconds touch tounicode trace translate triangular trim trimEnd trimStart trunc truncate
    ttyname type typecode tzinfo tzname tzset ulp umask uname uname_result uncancel uniform union universal_newlines
    unlink unobserve unpack unpack_from unpipe unraisablehook unsetenv unshare unshift unsubscribe update
    update_wrapper upper urandom urn use utcfromtimestamp utcnow utcoffset utctimetuple utime valueOf values variant
    version visit visit_Constant vonmisesvariate wait wait3 wait4 wait_for waitid waitid_result waitpid
    waitstatus_to_exitcode walk warn warning weekday weibullvariate with with_name with_segments with_stem
    with_suffix with_traceback wraps writable write write_bytes write_c14n write_text write_through writelines
    writestr writev xzopen year zfill zip_longest
"""

COMMON_NAMES = frozenset(_WORDS.split())

# The same of Option, Result, Vec, String, slices, iterators and the traits of the prelude in Rust
# (doc.rust-lang.org/std), of error, io, sync, time, strings and testing in Go (pkg.go.dev/std), of Object, String,
# collections and streams in Java (docs.oracle.com/en/java/javase/17/docs/api).
_PACKAGED_WORDS = """
    Add Addr Bytes Cause Close Context Copy Deadline Do Done Err Error Errorf Fatal Fatalf Flush Format Get Int Is
    Kind Len Less Load Lock Log Logf Name Next Open Parse Path Print Printf Println Put RLock RUnlock Read ReadAll
    Reset Run Scan Seek Set Size Skip Start Stop Store String Sub Swap Type Unlock Unmarshal Unwrap Value Wait Write
    WriteString addAll and_then as_bytes as_mut as_ref as_slice as_str as_deref borrow borrow_mut by_ref bytes
    capacity chars checked_add checked_sub chunks cloned cmp collect compareTo computeIfAbsent containsKey
    contains_key copied drain enumerate eq equals expect extend_from_slice fetch_add filter_map flat_map flatten
    flush fold for_each forName from_utf8 get_mut get_or_insert_with getBytes getClass getKey getMessage getName
    getOrDefault getValue hasNext hash hashCode ifPresent insert_str intValue into into_boxed into_inner into_iter
    into_owned is_ascii is_empty is_err is_none is_ok is_some isEmpty isPresent iter iter_mut iterator keySet last
    len length lines lock log map_err max_by max_by_key min_by min_by_key ne newInstance next_back nth ok ok_or
    ok_or_else or_default or_else or_insert or_insert_with orElse orElseThrow parallelStream partial_cmp peekable
    position println printStackTrace printf putAll push_str putIfAbsent read_line read_to_end read_to_string
    removeIf resize retain retainAll rev saturating_sub send setValue skip_while sort_by sort_by_key splitn split_at
    step_by stream take take_while to_ascii_lowercase to_lowercase to_owned to_path_buf to_str to_string
    to_string_lossy to_uppercase to_vec toArray toList trim_end trim_start truncate try_from try_into unwrap
    unwrap_err unwrap_or unwrap_or_default unwrap_or_else valueOf windows with_capacity wrapping_add write_all
    write_fmt write_str zip
"""

PACKAGED_NAMES = frozenset(_PACKAGED_WORDS.split())
